/** Kinds of networks whose devices are LoRaWAN devices; a new kind of network is one word here or in `networkTypes`. */
export const lorawanNetworks = ['tts', 'chirpstack', 'simulated'] as const;

export const networkTypes = [...lorawanNetworks, 'http'] as const;
