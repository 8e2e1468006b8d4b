import type { ApiChanges } from './compare.ts'

/** Text for a release in docs/api-changelog.md. */
export function toChangelogEntry(version: string, { breaking, added }: ApiChanges): string {
  const lines = [
    ...breaking.map((text) => `- **Breaking:** ${text}`),
    // The name of the operation comes first.
    ...added.map((text) => `- New: ${text.replace(/^[^:]+/, '`$&`')}`),
  ]
  return `\n## ${version}\n\n${lines.length > 0 ? lines.join('\n') : 'Nothing was added.'}\n`
}
