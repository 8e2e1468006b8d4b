export {
  aToken,
  type Books,
  balanced,
  createTestMarket,
  readBooks,
  type TestMarket,
} from './test-market.ts'
