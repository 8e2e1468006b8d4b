import { runProduct } from './lib/run-product.mjs'

/** Draws the tables of docs/database.md again, after a migration. */
await runProduct('packages/db/test/diagram/write-diagram.ts')
