/** Runs the stack's steps, last first, whatever fails on the way. Returns the failures. */
export async function disposeAll(stack: AsyncDisposableStack): Promise<unknown[]> {
  try {
    await stack.disposeAsync()
    return []
  } catch (error) {
    return listErrors(error)
  }
}

/** Several failures come as a chain, the last one outermost. */
function listErrors(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listErrors(error.suppressed), error.error] : [error]
}
