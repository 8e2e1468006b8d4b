import assert from 'node:assert/strict'

/**
 * Freezes a value of JSON's own types with all it holds, and returns it: what is shared cannot be changed by one who got
 * it, and its text can be kept. What is frozen already is taken for done.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    assert(typeof value !== 'undefined' && typeof value !== 'bigint', 'what is shared is plain JSON')
    return value
  }
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
