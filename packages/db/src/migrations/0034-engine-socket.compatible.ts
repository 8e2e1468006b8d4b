/**
 * The path of a Unix socket where the leading engine accepts orders from its own machine. Earlier builds neither write
 * nor read it.
 */
export const statements = ['alter table engine_lease add column socket text']
