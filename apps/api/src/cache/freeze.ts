import assert from 'node:assert/strict'

/**
 * Freezes a plain JSON value deeply and returns it, so that callers cannot change a shared value and its JSON text can be
 * cached. A value that is frozen already is assumed to be frozen deeply.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    assert(typeof value !== 'undefined' && typeof value !== 'bigint', 'shared values must be plain JSON')
    return value
  }
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
