import { createHash } from 'node:crypto'
import { relative } from 'node:path'

const WEB = new URL('..', import.meta.url).pathname

/** Names a CSS class. The bundler's default class names would add 300 bytes to the first load. */
export function nameClass(name: string, file: string): string {
  const hash = createHash('sha256').update(relative(WEB, file)).digest('base64url').slice(0, 5)
  return `${name}_${hash}`
}
