import { lookup as lookUp } from 'node:dns'
import { Agent, type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseAddress } from './networks.ts'

/** Which hosts of strangers this server calls. Only tests replace it. */
export interface OutboundRules {
  isAllowedAddress(address: string): boolean
  isAllowedPort(port: string): boolean
  /** Certificates to trust instead of the public ones. */
  readonly ca?: string
}

const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')
const GLOBAL_IPV6_BITS = 3

/** Public addresses only: no loopback, no private network, nothing that leads there by translation. */
export const publicOnly: OutboundRules = {
  isAllowedAddress: (text) => {
    const address = parseAddress(text)
    if (address === null || address.range() !== 'unicast') return false
    return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS)
  },
  isAllowedPort: (port) => port === '' || port === '443',
}

/** The host is not one that this server calls. */
export class ForbiddenHostError extends Error {}

/** Whether an address may be called, as far as it can be known without DNS: https, no user, an allowed port and host. */
export function mayCall(text: string, rules: OutboundRules): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  if (!rules.isAllowedPort(url.port)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return rules.isAllowedAddress(host)
  return host !== 'localhost' || rules.isAllowedAddress('127.0.0.1')
}

export interface OutboundCall {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

export interface OutboundAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** The beginning of the answer, for logs. */
  readonly text: string
}

const CALL_MAX_MS = 10_000
const ANSWER_BYTES_MAX = 1_000
const CONNECTIONS_MAX = 20

/**
 * Calls strangers' addresses over https. The address is checked when the connection is made, after DNS, so that a name that
 * changes its address between check and call reaches nothing. Follows no redirect, reads a thousand bytes of the answer at
 * most, and gives up after ten seconds.
 */
export class OutboundCaller {
  readonly #rules: OutboundRules
  readonly #agent: Agent

  constructor(rules: OutboundRules) {
    this.#rules = rules
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: CONNECTIONS_MAX,
      maxTotalSockets: CONNECTIONS_MAX,
      lookup: checkedLookup(rules),
      ...(rules.ca !== undefined && { ca: rules.ca }),
    })
  }

  /** Throws `ForbiddenHostError` and the errors of sockets. */
  async call({ url, method, headers, body }: OutboundCall, stopping?: AbortSignal): Promise<OutboundAnswer> {
    if (!mayCall(url, this.#rules)) throw new ForbiddenHostError('this address is not called')
    const timeout = AbortSignal.timeout(CALL_MAX_MS)
    const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping])
    return await exchange(url, { method, headers: { ...headers }, agent: this.#agent, signal }, body)
  }

  close(): void {
    this.#agent.destroy()
  }
}

function exchange(url: string, options: RequestOptions, body: Buffer): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = () => {
        const text = Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8')
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null, text })
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes < ANSWER_BYTES_MAX) return
        finish()
        call.destroy()
      })
      answer.once('end', finish)
      answer.once('error', reject)
    })
    call.once('error', reject)
    call.end(body)
  })
}

/** Resolves a name to its allowed addresses only; fails where there is none. */
function checkedLookup(rules: OutboundRules): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const allowed = found.filter(({ address }) => rules.isAllowedAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(new ForbiddenHostError('this name leads to no public address'), [])
      if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
