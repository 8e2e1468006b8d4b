import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/api/test/chaos/scale/main.ts')
