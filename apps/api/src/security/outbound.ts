import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { Agent as PlainAgent, type RequestOptions, request as requestPlainly } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isInNetworks, type Network, parseAddress } from '@papermoon/contract/networks'
import ipaddr from 'ipaddr.js'

/** Rules that say which hosts of other people this server may call. Only tests replace these rules. */
export interface OutboundRules {
  isAllowedAddress(address: string): boolean
  isAllowedPort(port: string): boolean
  /** Returns whether the operator also allows calls to an IP address, at any port and without TLS. */
  isTrustedAddress?(address: string): boolean
  /** Certificates that are trusted instead of the public ones. */
  readonly ca?: string
  /** Name servers that are used instead of the machine's own ones. */
  readonly nameServers?: readonly string[]
}

const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')
const GLOBAL_IPV6_BITS = 3

/** Allows calls only to public IP addresses: no loopback, no private network, and no address that translates to one. */
export const publicOnly: OutboundRules = {
  isAllowedAddress: (text) => {
    const address = parseAddress(text)
    if (address === null || address.range() !== 'unicast') return false
    return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS)
  },
  isAllowedPort: (port) => port === '' || port === '443',
}

/** Returns rules that also allow calls to IP addresses in an operator's networks. */
export function withNetworks(rules: OutboundRules, networks: readonly Network[]): OutboundRules {
  if (networks.length === 0) return rules
  return { ...rules, isTrustedAddress: (address) => isInNetworks(address, networks) }
}

/** The server's rules do not allow calls to this host. */
export class ForbiddenHostError extends Error {}

/**
 * How a URL may be called: with the rules for all strangers' URLs, or without TLS because it leads into an operator's
 * networks.
 */
type Way = 'public' | 'trusted' | 'trusted without TLS'

/**
 * Returns whether a URL may be called, as far as this is known without DNS. The URL must use https, with an allowed
 * port and host, and without a user. If the URL leads into an operator's networks, TLS and the port do not matter.
 */
export function mayCall(text: string, rules: OutboundRules): boolean {
  return findWay(text, rules) !== null
}

function findWay(text: string, rules: OutboundRules): Way | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  const way = toWay(url, rules)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const host = name === 'localhost' ? '127.0.0.1' : name
  if (isIP(host) !== 0) return isAllowed(host, way, rules) ? way : null
  return way === 'public' || rules.isTrustedAddress !== undefined ? way : null
}

function toWay({ protocol, port }: URL, rules: OutboundRules): Way {
  if (protocol === 'http:') return 'trusted without TLS'
  return rules.isAllowedPort(port) ? 'public' : 'trusted'
}

function isAllowed(address: string, way: Way, rules: OutboundRules): boolean {
  if (rules.isTrustedAddress?.(address) === true) return true
  return way === 'public' && rules.isAllowedAddress(address)
}

export interface OutboundCall {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

export interface OutboundAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** The first bytes of the response. */
  readonly text: string
}

const CALL_MAX_MS = 10_000
const ANSWER_BYTES_MAX = 1_000
/** How long an idle connection stays open, in ms. */
const IDLE_MAX_MS = 1_000
/** Max time for resolving a host name, in ms. The resolver may ask each name server twice. */
const LOOKUP_MAX_MS = 5_000
const LOOKUP = { timeout: 1_500, tries: 2 }

/**
 * Calls other people's URLs over https. The IP address is checked when connecting, after DNS, because a name's address
 * could change after an earlier check. The caller does not follow redirects, reads at most a thousand bytes of the
 * response, and ends the call after ten seconds. The caller must limit the number of concurrent calls.
 */
export class OutboundCaller {
  readonly #rules: OutboundRules
  readonly #agents: Readonly<Record<Way, PlainAgent>>

  constructor(rules: OutboundRules) {
    this.#rules = rules
    // Set no max number of connections here. An agent also counts idle connections, so a call would wait for
    // connections to other hosts to close.
    const toOptions = (way: Way) => ({
      keepAlive: true,
      timeout: IDLE_MAX_MS,
      lookup: checkedLookup(rules, (address) => isAllowed(address, way, rules)),
      ...(rules.ca !== undefined && { ca: rules.ca }),
    })
    this.#agents = {
      public: new Agent(toOptions('public')),
      trusted: new Agent(toOptions('trusted')),
      'trusted without TLS': new PlainAgent(toOptions('trusted without TLS')),
    }
  }

  /** Calls a URL. Throws `ForbiddenHostError` and socket errors. */
  async call({ url, method, headers, body }: OutboundCall, stopping?: AbortSignal): Promise<OutboundAnswer> {
    const way = findWay(url, this.#rules)
    if (way === null) throw new ForbiddenHostError('this address must not be called')
    const timeout = AbortSignal.timeout(CALL_MAX_MS)
    const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping])
    return await exchange(url, { method, headers: { ...headers }, agent: this.#agents[way], signal }, body)
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

function exchange(url: string, options: RequestOptions, body: Buffer): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const call = (url.startsWith('https:') ? request : requestPlainly)(url, options, (answer) => {
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

/**
 * Creates a lookup that resolves a name only to its allowed IP addresses. The lookup fails if the name has no allowed
 * IP address.
 */
function checkedLookup(rules: OutboundRules, isAllowedAddress: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    findAddresses(hostname, rules).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowedAddress(address))
        const [first] = allowed
        if (first === undefined) return callback(new ForbiddenHostError('this name leads to no public address'), [])
        if (options.all === true) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

/**
 * Resolves a host name with its own sockets. While someone's name server does not respond, `dns.lookup` would block one
 * of the process's few threads, and the names of the database and the mail server are also resolved there.
 */
async function findAddresses(hostname: string, { nameServers }: OutboundRules): Promise<LookupAddress[]> {
  if (hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
  const resolver = new Resolver(LOOKUP)
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const late = setTimeout(() => resolver.cancel(), LOOKUP_MAX_MS)
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ]
  } finally {
    clearTimeout(late)
  }
}
