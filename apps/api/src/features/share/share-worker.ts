import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import type { Card } from './card.ts'
import { drawCard } from './drawing/draw-card.ts'

/** A message to the drawing thread. */
export interface DrawOrder {
  readonly card: Card
  readonly picture: Uint8Array | null
}

assert(parentPort !== null, 'this file runs as a thread')
const port = parentPort
// If a card cannot be drawn, the thread ends with the error. In that case, the next card starts a new thread.
port.on('message', ({ card, picture }: DrawOrder) => port.postMessage(drawCard(card, picture)))
