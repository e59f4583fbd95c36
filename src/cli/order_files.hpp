// The files that are named in orders and arrival models: perm('p.txt'), arrive(trace('t.txt')).
#pragma once

#include <vector>

#include "cli/file_table.hpp"
#include "orderlab/order.hpp"

namespace orderlab::cli {

/// What was read from files for these arguments, also for those of arrival models among them.
std::vector<const Rows*> files_of(const Arguments& arguments);

/// Has the table know that all files of the arrival model are read. Error(usage) as FileTable::reads.
void read_files_of(const ArrivalCall& arrival, FileTable& files);

/// Has the table know that all files of the order are read. Error(usage) as FileTable::reads.
void read_files_of(const Order& order, FileTable& files);

}  // namespace orderlab::cli
