// Package faultsql makes a database an injection point, around any driver of
// database/sql:
//
//	db := sql.OpenDB(faultsql.NewConnector(connector, faults, "postgresql:orders"))
//
// The point is named <system>:<name>, after OpenTelemetry's db.system.name. It
// is evaluated wherever a statement makes its way to the database: connect,
// ping, query, exec, begin and commit, with the context the operation was given
// (a commit has its transaction's). Reading rows belongs to their query. So a
// query on a new connection waits a delay twice, once to connect and once to
// ask, as it would with a slow network between.
//
// With [PerOperation] each operation is a point of its own, such as
// postgresql:orders:commit, and reading rows is one too. A commit whose answer
// is lost, which no test with a real database can time, is then one rule:
//
//	{"point":"postgresql:orders:commit","lost":true}
//
// An abort sends nothing. An answer that was lost, rows that a fault ended, and a commit that was never sent, cost the connection, as they
// would if the network had failed: the database rolls back, a transaction that
// goes on meets [driver.ErrBadConn], and the pool dials again.
//
// Everything a driver can do goes through: each optional interface of
// database/sql/driver works as if the driver were not wrapped. Code that needs
// the driver's own connection, through [database/sql.Conn.Raw], gets it from
// [Unwrap].
package faultsql
