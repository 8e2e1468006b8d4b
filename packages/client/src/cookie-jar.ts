/** The cookies of one server, where no browser keeps them. */
export class CookieJar {
  readonly #values = new Map<string, string>()

  /** What a request sends as `Cookie`; null when there is nothing to send. */
  get header(): string | null {
    return this.#values.size === 0 ? null : [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Keeps, or forgets, what an answer says with `Set-Cookie`. */
  keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';')
      const [name = '', ...value] = pair.split('=')
      if (isEnded(attributes)) this.#values.delete(name.trim())
      else this.#values.set(name.trim(), value.join('=').trim())
    }
  }
}

function isEnded(attributes: readonly string[]): boolean {
  return attributes.some((attribute) => {
    const [name = '', value = ''] = attribute.trim().split('=')
    if (name.toLowerCase() === 'max-age') return !/^[1-9]/.test(value)
    return name.toLowerCase() === 'expires' && Date.parse(value) <= Date.now()
  })
}
