/**
 * Names the argument of `search_grams`. If a SQL function has unnamed arguments, PostgreSQL prints it in a form that
 * PostgreSQL cannot parse, and a dump with this function cannot be restored.
 */
export const statements = [
  `create or replace function search_grams(whole text, sizes int[]) returns text[]
        language sql immutable strict parallel safe cost 500
        return (
          select array_agg(distinct substr(small, place, size))
            from lower(whole) small, unnest(sizes) size, generate_series(1, char_length(small) - size + 1) place
        )`,
]
