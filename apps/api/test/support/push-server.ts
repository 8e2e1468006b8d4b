import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { OutboundRules } from '../../src/security/outbound.ts'
import { readRequest } from './read-request.ts'

/** A certificate of localhost for tests. Its key is not secret. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVSgAwIBAgIUCwSEIH5sxBOvtwMG9OhZrpZNhmkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE5MzkyOVoYDzIxMjYxMDI5
MTkzOTI5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATvvlsDTgpqONklP9eCj3tAshC8Dr3HOxBEGjQGQsPB4j6XQ3LlDPYv
Ulug5xDdCZ8GQ4TytaDgkNT4HUX1Vx3go4GBMH8wHQYDVR0OBBYEFA7ZmFGvVFBc
7EErtzeSlEVvD8wLMB8GA1UdIwQYMBaAFA7ZmFGvVFBc7EErtzeSlEVvD8wLMA8G
A1UdEwEB/wQFMAMBAf8wLAYDVR0RBCUwI4IJbG9jYWxob3N0ghBwdXNoLmV4YW1w
bGUub3JnhwR/AAABMAoGCCqGSM49BAMCA0cAMEQCIC4rBND6I9R8KfI3aVLHWC4h
UzpMD9MOHb8AnLFPUJIsAiBgXPIkBE/FmJy1vISJlsBl0AUu1N0koWAr/EvGFEq+
0Q==
-----END CERTIFICATE-----`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpRuasPxhLjPVRDF/
ZSLbTqGJOy/SziyugclttU7dz1WhRANCAATvvlsDTgpqONklP9eCj3tAshC8Dr3H
OxBEGjQGQsPB4j6XQ3LlDPYvUlug5xDdCZ8GQ4TytaDgkNT4HUX1Vx3g
-----END PRIVATE KEY-----`

/** A request to the push service. */
export interface PushRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The response of the push service: status and headers. */
export type PushAnswer = readonly [status: number, headers?: Readonly<Record<string, string>>]

/** A push service on loopback, over TLS. */
export interface PushServer {
  readonly port: number
  readonly origin: string
  readonly requests: readonly PushRequest[]
  /** Allows calls to this server only, and trusts its certificate. */
  readonly outbound: OutboundRules
  answer: (request: PushRequest) => PushAnswer | Promise<PushAnswer>
  close(): Promise<void>
}

export async function startPushServer(): Promise<PushServer> {
  const requests: PushRequest[] = []
  const server = createServer({ cert: CERTIFICATE, key: KEY }, async (request, response) => {
    const body = await readRequest(request)
    if (body === null) return
    const got = { path: request.url ?? '', headers: request.headers, body }
    requests.push(got)
    const [status, headers = {}] = await push.answer(got)
    response.writeHead(status, { ...headers }).end(status >= 400 ? 'no' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const push: PushServer = {
    port,
    origin: `https://localhost:${port}`,
    requests,
    outbound: {
      isAllowedAddress: (address) => address === '127.0.0.1',
      isAllowedPort: (asked) => asked === String(port),
      ca: CERTIFICATE,
    },
    answer: () => [201],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return push
}

/** A browser that receives push messages. */
export class PushBrowser {
  readonly endpoint: string
  readonly #pair: ECDH
  readonly #auth = randomBytes(16)

  constructor(endpoint: string) {
    this.endpoint = endpoint
    this.#pair = createECDH('prime256v1')
    this.#pair.generateKeys()
  }

  get subscription() {
    return {
      endpoint: this.endpoint,
      p256dh: this.#pair.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
    }
  }

  /** Decrypts a message (RFC 8291, one record of RFC 8188). */
  decrypt(body: Buffer): unknown {
    const salt = body.subarray(0, 16)
    const keyLength = body.readUInt8(20)
    const sender = body.subarray(21, 21 + keyLength)
    const record = body.subarray(21 + keyLength)
    const shared = this.#pair.computeSecret(sender)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync('sha256', shared, this.#auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'))
  }
}
