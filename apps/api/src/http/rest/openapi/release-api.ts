import { writeFileSync } from 'node:fs'
import { createOpenApiDocument } from './document.ts'

/**
 * Writes the API's document when a version is released. A test compares later documents with the written one. `npm run
 * release` runs this script.
 */
const RELEASED = new URL('../../../../released-openapi.json', import.meta.url)
const document = createOpenApiDocument({ publicUrl: null, communityUrl: 'https://x.com/' }, 'full')
writeFileSync(RELEASED, `${JSON.stringify(document, null, 2)}\n`)
