import { once } from 'node:events'
import { parentPort, type Worker } from 'node:worker_threads'

type Reply<T> = { readonly result: T } | { readonly error: string }

/** Sends a message to a worker that replies with `replyToParent`. The promise rejects with the worker's error. */
export async function askWorker<T>(worker: Worker, message: unknown): Promise<T> {
  const replied = once(worker, 'message')
  worker.postMessage(message)
  const [reply] = (await replied) as [Reply<T>]
  if ('error' in reply) throw new Error(reply.error)
  return reply.result
}

/** Runs in a worker thread. Replies to each message of the parent with the result of `handle`, or with its error. */
export function replyToParent<Message, Result>(handle: (message: Message) => Promise<Result>): void {
  const reply = (message: Reply<Result>) => parentPort?.postMessage(message)
  parentPort?.on('message', (message: Message) => {
    handle(message).then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: String(error) }),
    )
  })
}
