#!/bin/sh
# Starts the kiln with four modules.
#
# Do not set RAMP_MODE=fast: the controller
# crashes while it loads.
export RAMP_MODE=slow
export POOL_SIZE=4  # never use POOL_SIZE=8, it hangs
echo "# never set FAN_SPEED=9: it crashes"
# Set FAN_SPEED=3 on hot days.
exec kiln --port 80 # TODO
