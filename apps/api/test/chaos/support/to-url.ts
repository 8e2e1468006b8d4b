import type { EmbeddedPostgres } from '@papermoon/db'

/** The `DATABASE_URL` of an embedded PostgreSQL. */
export function toUrl({ host, port, user, password, database }: EmbeddedPostgres['address']): string {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${place}`
}
