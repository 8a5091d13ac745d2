package speed

import "time"

// start is when the program began.
var start = time.Now()
