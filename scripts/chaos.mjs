import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/api/test/chaos/faults/main.ts')
