import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@papermoon/contract/webauthn'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Errors that a test can request from an authenticator or its browser. */
interface Misbehaviour {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
  readonly type?: string
  /** Replaces the empty attestation of the format `none`. */
  readonly format?: string
  readonly statement?: ReadonlyMap<string, unknown>
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const

/** A security key in software. It creates real ES256 keys and signatures. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(32).toString('base64url')
  readonly #origin: string
  #userHandle: string | null = null
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Acts like `navigator.credentials.create`. */
  create(options: AttestationOptions, wrong: Misbehaviour = {}): Attestation {
    this.#userHandle = options.user.id
    const idBytes = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([idBytes.length >> 8, idBytes.length & 0xff])
    const flags = FLAGS.present | FLAGS.attested | (wrong.isVerified === false ? 0 : FLAGS.verified)
    const head = authenticatorData(wrong.rpId ?? options.rp.id, flags, wrong.counter ?? 0)
    const authData = Buffer.concat([head, Buffer.alloc(16), length, idBytes, coseKey(this.#keys.publicKey)])
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', wrong.format ?? 'none'],
        ['attStmt', wrong.statement ?? new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as never,
    )
    const response = {
      clientDataJSON: this.#clientData(wrong.type ?? 'webauthn.create', wrong.challenge ?? options.challenge, wrong),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
      transports: ['internal'],
    }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  /** Acts like `navigator.credentials.get`. */
  get(options: AssertionOptions, wrong: Misbehaviour = {}): Assertion {
    const counter = wrong.counter ?? ++this.#counter
    const flags = FLAGS.present | (wrong.isVerified === false ? 0 : FLAGS.verified)
    const authData = authenticatorData(wrong.rpId ?? options.rpId, flags, counter)
    const clientDataJSON = this.#clientData(wrong.type ?? 'webauthn.get', wrong.challenge ?? options.challenge, wrong)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authData, hash]), this.#keys.privateKey).toString('base64url')
    const userHandle = wrong.userHandle === undefined ? this.#userHandle : wrong.userHandle
    const response = { clientDataJSON, authenticatorData: authData.toString('base64url'), signature, userHandle }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Misbehaviour): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags, 0)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.from(isoCBOR.encode(key as never))
}
