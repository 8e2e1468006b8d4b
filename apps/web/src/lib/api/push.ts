import { findServiceWorkers, registerWorker } from '../boot/register-worker.ts'
import { client } from './api.ts'

/** Whether this browser supports push messages. */
type PushSupport = 'supported' | 'blocked' | 'unsupported'

export function getPushSupport(): PushSupport {
  const isPossible = findServiceWorkers() !== null && 'PushManager' in window && 'Notification' in window
  if (!isPossible) return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'supported'
}

/** Returns the URL at which this browser receives push messages. Returns null if there is none. */
export async function findEndpoint(): Promise<string | null> {
  const subscription = await findSubscription()
  return subscription?.endpoint ?? null
}

/**
 * Asks the player for permission, and subscribes this browser to push messages. Returns false if the player did not
 * give the permission.
 */
export async function subscribe(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  // Register the worker first, because this rejects if the browser blocks workers. `ready` alone would wait for ever.
  await registerWorker()
  const worker = await findServiceWorkers()?.ready
  if (worker === undefined) return false
  // Replace the subscription, because it may use an old server key or a URL that the push service has dropped.
  await unsubscribe()
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { keys } = subscription.toJSON()
  await client.push.subscribe.mutate({
    endpoint: subscription.endpoint,
    p256dh: toPlain(keys?.p256dh),
    auth: toPlain(keys?.auth),
  })
  return true
}

export async function unsubscribe(): Promise<void> {
  const subscription = await findSubscription()
  if (subscription === null) return
  await client.push.unsubscribe.mutate({ endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}

async function findSubscription(): Promise<PushSubscription | null> {
  const worker = await findServiceWorkers()?.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}

/** Converts a key to base64url without padding, because some browsers add padding. */
function toPlain(key: string | undefined): string {
  return (key ?? '').replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}
