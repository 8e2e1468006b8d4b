import { procedures } from '@papermoon/contract'
import { TRPCError } from '@trpc/server'
// This import binds the contract's procedures.
import '../../router.ts'
import { type Call, run } from '../../trpc.ts'

/** A call of a procedure by its full name. */
export interface NamedCall extends Call {
  readonly type: 'query' | 'mutation'
}

/** Calls a procedure that may not exist. Throws `TRPCError`. */
export async function callProcedure(call: NamedCall): Promise<unknown> {
  const { path, type } = call
  const procedure = procedures.get(path)
  if (procedure?.type !== type) throw new TRPCError({ code: 'NOT_FOUND', message: `There is no ${type} ${path}.` })
  return await run(procedure, call)
}
