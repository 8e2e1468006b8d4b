import { findServiceWorkers, registerWorker } from '../boot/register-worker.ts'
import { client } from './api.ts'

/** What this browser can do about push messages. */
type PushSupport = 'supported' | 'blocked' | 'unsupported'

export function getPushSupport(): PushSupport {
  const isPossible = findServiceWorkers() !== null && 'PushManager' in window && 'Notification' in window
  if (!isPossible) return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'supported'
}

/** The address by which this browser gets push messages; null where it gets none. */
export async function findEndpoint(): Promise<string | null> {
  const subscription = await findSubscription()
  return subscription?.endpoint ?? null
}

/** Asks for permission and subscribes this browser. False where the player did not allow it. */
export async function subscribe(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  // Rejects where the browser blocks workers; `ready` would wait for ever.
  await registerWorker()
  const worker = await findServiceWorkers()?.ready
  if (worker === undefined) return false
  // A kept subscription may have an earlier key of the server, or an address that the push service has given up.
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

/** Some browsers pad base64url. */
function toPlain(key: string | undefined): string {
  return (key ?? '').replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}
