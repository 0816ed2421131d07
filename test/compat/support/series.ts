/** The numbers 1 to `count` as rows `n`, in MySQL and MariaDB. */
export const series = (count: number): string =>
  `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers`;
