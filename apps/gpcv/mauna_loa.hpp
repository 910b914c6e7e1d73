/// Monthly CO2 at Mauna Loa, 1958 to 2020 (Scripps CO2 Program, CC BY 4.0; see data/README.md).
#pragma once

#include <string_view>

extern const std::string_view mauna_loa_csv;
