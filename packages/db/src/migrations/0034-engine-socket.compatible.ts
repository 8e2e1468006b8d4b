/**
 * Adds the path of a Unix socket at which the leading engine accepts orders from its own machine. Earlier builds ignore
 * this column.
 */
export const statements = ['alter table engine_lease add column socket text']
