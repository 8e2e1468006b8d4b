/** Runs the stack's steps, last first, even if some fail. Returns the failures. */
export async function disposeAll(stack: AsyncDisposableStack): Promise<unknown[]> {
  try {
    await stack.disposeAsync()
    return []
  } catch (error) {
    return listErrors(error)
  }
}

/** Lists the errors in a chain of failures, whose last failure is outermost. */
function listErrors(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listErrors(error.suppressed), error.error] : [error]
}
