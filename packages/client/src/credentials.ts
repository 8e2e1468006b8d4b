import type { SocketHeaders } from './bounded-socket.ts'
import { CookieJar } from './cookie-jar.ts'

/** How requests authenticate. */
export interface Credentials {
  readonly fetch: typeof fetch
  readonly socketHeaders: SocketHeaders
}

/** Sends an API key with each request, and no cookies. */
export function keyCredentials(apiKey: string, send: typeof fetch): Credentials {
  const authorization = `Bearer ${apiKey}`
  return {
    fetch: (url, init) =>
      send(url, { ...init, credentials: 'omit', headers: withHeader(init?.headers, 'authorization', authorization) }),
    socketHeaders: isBrowser() ? null : () => ({ authorization }),
  }
}

/** Uses the session cookie. Browsers keep it themselves; elsewhere a `CookieJar` does. */
export function cookieCredentials(send: typeof fetch): Credentials {
  if (isBrowser()) {
    return { fetch: (url, init) => send(url, { ...init, credentials: 'include' }), socketHeaders: null }
  }
  const jar = new CookieJar()
  return {
    fetch: async (url, init) => {
      const { header } = jar
      const answer = await send(
        url,
        header === null ? init : { ...init, headers: withHeader(init?.headers, 'cookie', header) },
      )
      jar.keep(answer.headers)
      return answer
    },
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
