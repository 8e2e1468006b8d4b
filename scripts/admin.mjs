import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/api/src/commands/admin.ts')
