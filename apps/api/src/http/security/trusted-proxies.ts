import proxyAddress from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Returns a function that checks whether TRUST_PROXY contains a connection's peer address. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): (address: string | undefined) => boolean {
  if (trustProxy.length === 0) return () => false
  const isTrusted = proxyAddress.compile([...trustProxy])
  return (address) => address !== undefined && isTrusted(address, 0)
}

/** Returns the browser's scheme if a trusted proxy forwards it, otherwise null. */
export function forwardedScheme(
  request: FastifyRequest,
  isTrusted: (address: string | undefined) => boolean,
): string | null {
  const isTold = request.headers['x-forwarded-proto'] !== undefined && isTrusted(request.socket.remoteAddress)
  return isTold ? request.protocol : null
}
