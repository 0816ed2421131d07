/** Instead of a server's URL: the driver gets its answers from memory. */
export const NO_SERVER = 'no server';

export type Transport = 'unix socket' | 'tcp' | 'MySQL' | 'MongoDB' | typeof NO_SERVER;
