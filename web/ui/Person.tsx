import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar } from './Avatar.tsx';
import styles from './Person.module.css';

interface PersonProps {
  name: string;
  email?: string;
  image?: string;
  to?: string;
  /** Behind the name: "Disabled". */
  label?: ReactNode;
}

/** Somebody in a row of 40 px: picture, name, and the e-mail below it. */
export function Person({ name, email, image, to, label }: PersonProps) {
  return (
    <span className={styles.person}>
      <Avatar name={name} image={image} />
      <span className={styles.text}>
        <span className={styles.line}>
          {to === undefined ? (
            <span className={styles.name} title={name}>
              {name}
            </span>
          ) : (
            <Link className={styles.name} to={to} title={name}>
              {name}
            </Link>
          )}
          {label}
        </span>
        {email && (
          <span className={styles.email} title={email}>
            {email}
          </span>
        )}
      </span>
    </span>
  );
}
