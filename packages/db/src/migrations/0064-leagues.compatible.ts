/**
 * Adds weekly leagues: the members of each group, completed quests, and the points of each result in an arena. The row
 * of `league_progress` has the time up to which quests were found. A lock on this row allows only one node to work at a
 * time.
 */
export const statements = [
  'alter table fair_results add column league_points smallint not null default 0',
  "create index fairs_bell on fairs (bell_at) where kind = 'arena'",
  `create table league_members (
    week date not null,
    division smallint not null check (division between 1 and 5),
    group_number smallint not null,
    user_id integer not null references users (id),
    joined_at timestamptz(3),
    points integer,
    place smallint,
    primary key (week, user_id, division, group_number)
  )`,
  `create table quests_done (
    day date not null,
    user_id integer not null references users (id),
    quest text not null,
    at timestamptz(3) not null,
    primary key (day, user_id, quest)
  )`,
  `create table league_progress (
    id integer primary key check (id = 1),
    began_at timestamptz(3) not null,
    quests_until timestamptz(3) not null
  )`,
  'insert into league_progress values (1, now(), now())',
]
