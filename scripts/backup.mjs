import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/api/src/commands/backup.ts')
