// Package agent lets models work with tools in small worlds and judges what has
// become of the world.
//
// A [Task] is data: a request, a world of tables, tools that read and change them,
// and the goal. What a tool does is one of a few actions, see [Action], and depends
// on nothing but the world and the call, so every run of a task is the same but for
// the model. Success is decided by the tables in the end, never by words, and a
// table that the goal does not mention must be as it was. tasks.json has ours;
// others can be added as files.
package agent
