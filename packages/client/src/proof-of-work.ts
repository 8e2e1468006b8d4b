import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** A challenge in the format of altcha-lib, from the header `Proof-Of-Work-Challenge`. */
export interface WorkChallenge {
  readonly parameters: {
    readonly algorithm: string
    readonly nonce: string
    readonly salt: string
    readonly cost: number
    readonly keyLength: number
    readonly keyPrefix: string
    readonly data: { readonly counterMax: number }
  }
  readonly signature: string
}

/** Number of keys that the browser derives at the same time, on other threads. */
const CONCURRENCY = 4
/** How long the solver runs before it yields, in ms. The time is short, because a page draws a frame every 16 ms. */
const SLICE_MS = 8

/**
 * Solves the challenge from a `Proof-Of-Work-Challenge` header without blocking the page. Returns the value for the
 * header `Proof-Of-Work`. Rejects if the challenge has no solution.
 */
export async function solveChallenge(header: string): Promise<string> {
  const challenge = JSON.parse(new TextDecoder().decode(fromBase64Url(header))) as WorkChallenge
  const { algorithm } = challenge.parameters
  const solution = algorithm === 'SHA-256' ? await solveByScript(challenge) : await solveByKeys(challenge)
  return toBase64Url(JSON.stringify({ challenge, solution }))
}

interface Solution {
  readonly counter: number
  readonly derivedKey: string
}

/** Solves the challenge in JavaScript, because pages over plain HTTP have no WebCrypto. */
async function solveByScript({ parameters }: WorkChallenge): Promise<Solution> {
  const { nonce, salt, cost, keyPrefix, data } = parameters
  const prefix = fromHex(keyPrefix)
  const input = new Uint8Array([...fromHex(salt), ...fromHex(nonce), 0, 0, 0, 0])
  const view = new DataView(input.buffer)
  let sliceEndsAt = performance.now() + SLICE_MS
  for (let counter = 0; counter <= data.counterMax; counter++) {
    view.setUint32(input.length - 4, counter)
    let key = sha256(input)
    for (let round = 1; round < cost; round++) key = sha256(key)
    if (startsWith(key, prefix)) return { counter, derivedKey: toHex(key) }
    if (counter % 64 === 0 && performance.now() > sliceEndsAt) {
      await nextTask()
      sliceEndsAt = performance.now() + SLICE_MS
    }
  }
  throw new Error('The puzzle has no solution.')
}

async function solveByKeys({ parameters }: WorkChallenge): Promise<Solution> {
  const { nonce, salt, cost, keyLength, keyPrefix, data } = parameters
  const prefix = fromHex(keyPrefix)
  const derive = keyDeriver({ salt: fromHex(salt), rounds: cost, bytes: keyLength })
  for (let first = 0; first <= data.counterMax; first += CONCURRENCY) {
    const counters = Array.from({ length: CONCURRENCY }, (_, index) => first + index)
    const keys = await Promise.all(counters.map((counter) => derive(toPassword(fromHex(nonce), counter))))
    const found = keys.findIndex((key) => startsWith(key, prefix))
    const key = keys[found]
    if (key !== undefined) return { counter: first + found, derivedKey: toHex(key) }
  }
  throw new Error('The puzzle has no solution.')
}

interface Derivation {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly rounds: number
  readonly bytes: number
}

type DeriveKey = (password: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** Returns WebCrypto's key derivation. If there is no WebCrypto, returns a much slower one in JavaScript. */
function keyDeriver({ salt, rounds, bytes }: Derivation): DeriveKey {
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) return (password) => pbkdf2Async(sha256, password, salt, { c: rounds, dkLen: bytes })
  return async (password) => {
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
    return new Uint8Array(await subtle.deriveBits(how, key, bytes * 8))
  }
}

function toPassword(nonce: Uint8Array, counter: number): Uint8Array<ArrayBuffer> {
  const password = new Uint8Array([...nonce, 0, 0, 0, 0])
  new DataView(password.buffer).setUint32(nonce.length, counter)
  return password
}

/** Lets the browser render and handle input. This code uses no timer, because browsers throttle timers. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const go = () => {
      port1.close()
      resolve()
    }
    port1.addEventListener('message', go, { once: true })
    port1.start()
    port2.postMessage(null)
  })
}

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => key[index] === byte)
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}

/** Encodes ASCII text, such as a challenge or solution. */
function toBase64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
