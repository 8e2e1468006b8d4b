import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import type { Card } from './card.ts'
import { drawCard } from './drawing/draw-card.ts'

/** What the thread is asked to draw. */
export interface DrawOrder {
  readonly card: Card
  readonly picture: Uint8Array | null
}

assert(parentPort !== null, 'this file runs as a thread')
const port = parentPort
// What cannot be drawn ends the thread with its error, and the next order gets a new one.
port.on('message', ({ card, picture }: DrawOrder) => port.postMessage(drawCard(card, picture)))
