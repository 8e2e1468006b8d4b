import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const INLINE = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The CSP hashes of the built page's inline scripts; empty without a built page. */
export function inlineScripts(webRoot: string | null): string[] {
  const file = webRoot === null ? null : join(webRoot, 'index.html')
  if (file === null || !existsSync(file)) return []
  const scripts = [...readFileSync(file, 'utf8').matchAll(INLINE)].map(([, script = '']) => script)
  return scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}
