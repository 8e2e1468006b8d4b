import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { toChangelogEntry } from './changelog-entry.ts'
import { compareDocuments } from './compare.ts'
import { createOpenApiDocument } from './document.ts'

/** Run by `npm run release`: writes what the API gained into docs/api-changelog.md, and keeps the document as released. */
const RELEASED = new URL('../../../../released-openapi.json', import.meta.url)
const CHANGELOG = new URL('../../../../../../docs/api-changelog.md', import.meta.url)
const HEADING = '# Changes of the API\n'

const [version = ''] = process.argv.slice(2)
const document = createOpenApiDocument({ publicUrl: null, communityUrl: 'https://x.com/' }, 'full')
const changes = compareDocuments(JSON.parse(readFileSync(RELEASED, 'utf8')), document)
const before = existsSync(CHANGELOG) ? readFileSync(CHANGELOG, 'utf8') : HEADING
const entry = toChangelogEntry(version, changes)
writeFileSync(CHANGELOG, before.replace(HEADING, `${HEADING}${entry}`))
writeFileSync(RELEASED, `${JSON.stringify(document, null, 2)}\n`)
