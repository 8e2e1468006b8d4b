/**
 * Names the argument of `search_grams`. PostgreSQL prints SQL functions with unnamed arguments in a form that it cannot
 * parse, so a dump with such a function cannot be restored.
 */
export const statements = [
  `create or replace function search_grams(whole text, sizes int[]) returns text[]
        language sql immutable strict parallel safe cost 500
        return (
          select array_agg(distinct substr(small, place, size))
            from lower(whole) small, unnest(sizes) size, generate_series(1, char_length(small) - size + 1) place
        )`,
]
