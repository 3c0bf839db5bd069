import type { ReactNode } from 'react';
import { Avatar } from './Avatar.tsx';
import { PictureName } from './PictureName.tsx';

interface PersonProps {
  name: string;
  email?: string;
  image?: string;
  to?: string;
  /** Behind the name: "Disabled". */
  label?: ReactNode;
}

export const Person = ({ name, email, image, to, label }: PersonProps) => (
  <PictureName picture={<Avatar name={name} image={image} />} name={name} below={email} to={to} label={label} />
);
