import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const TEMPLATES = [
  'create-database.sh',
  'etcd.yml',
  'haproxy.cfg',
  'nginx.conf',
  'patroni.yml',
  'pgbackrest.conf',
] as const
export type TemplateName = (typeof TEMPLATES)[number]

/** Values of placeholders by name; those that a template does not have are ignored. */
export type TemplateValues = Readonly<Record<string, string | number>>

const PLACEHOLDER = /\{\{(\w+)\}\}/g

/** Fills the placeholders of `deploy/templates/NAME`. Throws for one without a value. */
export function renderTemplate(name: TemplateName, values: TemplateValues): string {
  return readTemplate(name).replaceAll(PLACEHOLDER, (_whole, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`deploy/templates/${name} needs a value for ${key}`)
    return String(value)
  })
}

function readTemplate(name: TemplateName): string {
  return readFileSync(fileURLToPath(new URL(`../../../../deploy/templates/${name}`, import.meta.url)), 'utf8')
}
