import { createHmac } from 'node:crypto';

export interface DemoPerson {
  name: string;
  email: string;
  role: string;
  password: string;
}

const people = [
  { name: 'Ada Mills', email: 'ada@demo.example', role: 'administrator' },
  { name: 'Ben Okafor', email: 'ben@demo.example', role: 'analyst: queries, dashboards and alerts' },
  { name: 'Carla Reyes', email: 'carla@demo.example', role: 'operator: looks at devices and sends commands' },
] as const;

/** Passwords depend on the installation, so that those of one demo console do not work on another. */
export const demoPeople = (secretKey: string): DemoPerson[] =>
  people.map((person) => ({
    ...person,
    password: createHmac('sha256', secretKey).update(`demo password of ${person.email}`).digest('base64url').slice(0, 14),
  }));
