import { expect, it } from 'vitest'
import { toAlertGoal } from '../../src/features/alerts/alert-price.ts'

const NOW = '0.00000003'
const shown = (...input: Parameters<typeof toAlertGoal>) => {
  const goal = toAlertGoal(...input)
  return goal && [goal.direction, goal.price.toFixed(), goal.marketCap.toFixed(), goal.change]
}

it('an alert has the same price when given as percent, price or market cap', () => {
  const goal = ['above', '0.000000045', '45', '50.00']
  expect(shown('percent', '50', NOW)).toEqual(goal)
  expect(shown('price', '0.000000045', NOW)).toEqual(goal)
  expect(shown('marketCap', '45', NOW)).toEqual(goal)
  // The price is truncated to 18 decimals, but the change is not.
  expect(shown('percent', '25', '0.000000034121000001')?.[3]).toBe('25.00')
  expect(shown('percent', '-50', NOW)).toEqual(['below', '0.000000015', '15', '-50.00'])
})

it('an alert without a price, or with the current price, has no goal', () => {
  for (const value of ['', '-100', '-200', '0', '1e3', '.', 'x']) expect(toAlertGoal('percent', value, NOW)).toBeNull()
  expect(toAlertGoal('price', NOW, NOW)).toBeNull()
  expect(toAlertGoal('price', '1', '0')).toBeNull()
})
