import anyAscii from 'any-ascii';

/** Names of people and cities from many languages, for realistic data and accents. */

export const FIRST_NAMES =
  'Ada Aïsha Alejandro Amélie Anders Andrés Anna Antonín Aoife Astrid Aylin Bartosz Beatriz Björn Camille Carlos Chloé Chukwuemeka Clara Dagmar Daniel Đorđe Eero Elif Élise Emma Enikő Erik Esperança Eva Fatima Felix François Freyja Gabriela Georg Gianluca Grace Grzegorz Hana Hannah Héctor Helena Hiroshi Hugo Inés Ingrid Irina Isabel Ivana Jakub Jana Jean Jiří João Jonas Jörg José Julia Kai Katarína Kenji Lara Laszlo Léa Leon Łukasz Lucía Maja Małgorzata Marek María Marie Markéta Matteo Maximilian Mehmet Mia Michał Mikkel Milan Mohammed Nadia Niamh Nikola Noah Nuño Olga Oliver Ondřej Óscar Paula Pedro Petra Priya Rafael Renée Sakura Samuel Saoirse Sebastián Seán Sinéad Sofía Søren Stefan Štěpán Thérèse Theo Tomás Ursula Valentina Veronika Víctor Wei William Yara Yusuf Zeynep Zofia Zoë Željko'.split(
    ' ',
  );

export const LAST_NAMES =
  'Åberg Adeyemi Almeida Andersson Bauer Becker Bianchi Błaszczyk Brown Çelik Černý Chen Cohen Costa Cruz Đukić Dubois Dvořák Eriksson Fernández Fischer Forst García Gonçalves González Großmann Haddad Hansen Hernández Hoffmann Horváth Ibrahim Ivanova Jansen Jensen Johansson Jørgensen Kaya Keller Khan Kim Kowalczyk Krüger Kučera Kumar Larsen Laurent Lefèvre Lindqvist López Lovelace Łukaszewski Maier Marković Martínez Meyer Moreau Müller Nakamura Navrátil Nguyen Nielsen Nováková Núñez O’Brien Okafor Olsen Öztürk Patel Pérez Petrov Popescu Ramírez Rasmussen Rossi Ruiz Sánchez Sato Schäfer Schmidt Schröder Şahin Silva Simić Singh Smith Sørensen Sousa Strauß Švec Szabó Takahashi Tanaka Tóth Tremblay Ünal Usman Vargas Vašek Villeneuve Virtanen Wagner Wang Weiß Williams Wiśniewski Wójcik Yamamoto Yılmaz Žák Zhang Ziegler'.split(
    ' ',
  );

export const CITIES =
  'Amsterdam Athens Barcelona Belgrade Berlin Bogotá Bratislava Brno Bruxelles Budapest Dublin Düsseldorf Genève Gdańsk Göteborg Hamburg Helsinki İzmir København Kraków Lagos Lisboa Ljubljana London Łódź Lyon Málaga Malmö Milano Montréal München Nairobi Oslo Paris Porto Praha Québec Reykjavík Roma Salzburg Sevilla Sofia Stockholm Tallinn Tokyo Tromsø Valparaíso Vilnius Warszawa Wien Zagreb Zürich'.split(
    ' ',
  );

export const TEAMS = [
  'Accounting',
  'Design',
  'Engineering',
  'Legal',
  'Logistics',
  'Marketing',
  'Operations',
  'Research',
  'Sales',
  'Support',
];

/** Converts a text of this file as the search of the service does: to lower case, without accents. All names are in the Latin script. */
export const toSearchText = (text) => anyAscii(text.normalize('NFKD').replace(/\p{M}+/gu, '')).toLowerCase();

/** Returns the characters of a name that an email address or slug can contain. */
export const toAsciiName = (text) => toSearchText(text).replaceAll(/[^a-z0-9]+/g, '');
