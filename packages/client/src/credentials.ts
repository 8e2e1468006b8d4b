import type { SocketHeaders } from './bounded-socket.ts'
import { CookieJar } from './cookie-jar.ts'

/** Functions that add credentials to requests. */
export interface Credentials {
  readonly fetch: typeof fetch
  /** A `fetch` for public data, which sends no cookies to other sites. */
  readonly openFetch: typeof fetch
  readonly socketHeaders: SocketHeaders
}

/** Creates credentials that send an API key with each request, and no cookies. */
export function keyCredentials(apiKey: string, send: typeof fetch): Credentials {
  const authorization = `Bearer ${apiKey}`
  const sendKey: typeof fetch = (url, init) =>
    send(url, { ...init, credentials: 'omit', headers: withHeader(init?.headers, 'authorization', authorization) })
  return {
    fetch: sendKey,
    openFetch: sendKey,
    socketHeaders: isBrowser() ? null : () => ({ authorization }),
  }
}

/**
 * Creates credentials that use the session cookie. A browser stores the cookie itself. Outside browsers, a `CookieJar`
 * stores the cookie.
 */
export function cookieCredentials(send: typeof fetch): Credentials {
  if (isBrowser()) {
    return {
      fetch: (url, init) => send(url, { ...init, credentials: 'include' }),
      openFetch: send,
      socketHeaders: null,
    }
  }
  const jar = new CookieJar()
  const sendCookies: typeof fetch = async (url, init) => {
    const { header } = jar
    const response = await send(
      url,
      header === null ? init : { ...init, headers: withHeader(init?.headers, 'cookie', header) },
    )
    jar.store(response.headers)
    return response
  }
  return {
    fetch: sendCookies,
    openFetch: sendCookies,
    socketHeaders: (): Record<string, string> => (jar.header === null ? {} : { cookie: jar.header }),
  }
}

function withHeader(headers: RequestInit['headers'], name: string, value: string): Headers {
  const all = new Headers(headers)
  all.set(name, value)
  return all
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis
}
