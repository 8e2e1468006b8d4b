import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Timers } from '@papermoon/engine'

/** How long a client may take to read a page of the journal, in ms. */
const DRAIN_MAX_MS = 30_000

/**
 * Resolves when everything written to a socket has left this process. Destroys a socket that takes longer than 30
 * seconds.
 */
export async function drain(timers: Timers, socket: Socket, signal: AbortSignal): Promise<void> {
  if (signal.aborted || socket.writableLength === 0) return
  const cancelCut = timers.after(DRAIN_MAX_MS, () => socket.destroy())
  // Below its high-water mark, a socket emits no `drain` event, so wait for an empty write instead.
  if (socket.writableNeedDrain) await once(socket, 'drain', { signal }).catch(() => {})
  else await new Promise<void>((resolve) => socket.write('', () => resolve()))
  cancelCut()
}
