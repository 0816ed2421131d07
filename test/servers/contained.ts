/** How the `from` of a server in a container begins. */
export const contained = 'a container of ';
