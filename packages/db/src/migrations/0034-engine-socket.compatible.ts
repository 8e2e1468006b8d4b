/** Where the leading engine takes orders of its own machine: the path of a Unix socket. Earlier builds neither write nor read it. */
export const statements = ['alter table engine_lease add column socket text']
