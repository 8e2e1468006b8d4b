import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/api/test/proof/chaos/main.ts')
