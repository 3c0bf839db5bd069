import { z } from 'zod';

/** The CSP forbids eval, and zod probes for it when a schema is created: this module is imported before any contract. */
z.config({ jitless: true });
