export class CookieJar {
  readonly #values = new Map<string, string>()

  /** Returns the value of a request's `Cookie` header, or null if there are no cookies. */
  get header(): string | null {
    return this.#values.size === 0 ? null : [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Stores or deletes the cookies that a response's `Set-Cookie` headers name. */
  store(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';')
      const [name = '', ...value] = pair.split('=')
      if (isExpired(attributes)) this.#values.delete(name.trim())
      else this.#values.set(name.trim(), value.join('=').trim())
    }
  }
}

function isExpired(attributes: readonly string[]): boolean {
  return attributes.some((attribute) => {
    const [name = '', value = ''] = attribute.trim().split('=')
    if (name.toLowerCase() === 'max-age') return !/^[1-9]/.test(value)
    return name.toLowerCase() === 'expires' && Date.parse(value) <= Date.now()
  })
}
