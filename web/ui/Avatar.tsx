import styles from './Avatar.module.css';
import { avatarHue, initials, isLocalImage } from './avatarLook.ts';

interface AvatarProps {
  name: string;
  image?: string | undefined;
  size?: number;
}

/** Initials on a colour derived from the name. Pictures come only from this server, so that no outside server gets an address. */
export function Avatar({ name, image, size = 24 }: AvatarProps) {
  if (isLocalImage(image)) return <img className={styles.avatar} src={image} alt="" width={size} height={size} />;
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: Math.max(10, Math.round(size * 0.4)), background: `hsl(${avatarHue(name)} 45% 32%)` }}
      aria-hidden
    >
      {initials(name)}
    </span>
  );
}
