package spec

import _ "embed"

// picture shows the two layers of the format.
//
//go:embed page/picture.svg
var picture string

// pictureText shows the same in characters.
const pictureText = `        Let me check. <call>getWeather location="New York" units=metric</call> One moment.
framing └─── text ───┘└──────────────────────── call ────────────────────────┘└── text ──┘
body                        └─ name ─┘ └ path ┘ └ string ┘ └path┘└bare┘
result                      getWeather {"location":"New York","units":"metric"}
`
